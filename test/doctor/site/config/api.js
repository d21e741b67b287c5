export default {
  rest: {
    prefix: '/content',
    maxLimit: 50,
    defaultLimit: Number(process.env.PAGE_SIZE ?? 20),
  },
};
