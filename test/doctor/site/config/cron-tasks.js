export default {
  digest: {
    task: async ({ strapi }) => {
      await strapi.plugins.email.services.email.send({ to: 'all@site.example', subject: 'Digest', text: '…' });
    },
    options: { rule: '0 8 * * 1' },
  },
};
