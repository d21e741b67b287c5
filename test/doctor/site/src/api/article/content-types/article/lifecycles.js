import slugify from 'slugify';

export default {
  beforeCreate(event) {
    event.params.data.slug = slugify(event.params.data.title);
  },
};
