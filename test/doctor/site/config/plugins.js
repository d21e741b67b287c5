export default ({ env }) => ({
  upload: {
    config: {
      provider: 'cloudinary',
      providerOptions: { cloud_name: env('CLOUDINARY_NAME'), api_key: env('CLOUDINARY_KEY') },
    },
  },
  'users-permissions': { config: { jwtManagement: 'refresh' } },
});
