export const rules = {
  title: 'Rules',
};
