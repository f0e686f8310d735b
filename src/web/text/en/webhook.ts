export const webhook = {
  title: 'Webhook',
};
