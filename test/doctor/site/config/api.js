export default {
  rest: {
    prefix: '/content',
    maxLimit: 50,
    defaultLimit: new Date().getFullYear() > 2020 ? 20 : 10,
  },
};
