import { errors } from '@strapi/utils';
import axios from 'axios';

const notify = (event) => axios.post('https://shop.example/hook', event.result);

export default {
  beforeCreate({ params }) {
    const { data } = params;
    if (data.amount < 1) throw new errors.ApplicationError('nothing ordered');
    data.total = data.price * data.amount;
  },
  async afterCreate(event) {
    await strapi.plugin('email').service('email').send({ to: 'shop@site.example', subject: 'An order' });
    await strapi.documents('api::article.article').update({ documentId: event.result.article, data: { sold: event.result.sold + 1 } });
  },
  afterUpdate: notify,
  async afterDelete(event) {
    await notify(event);
  },
};
