export default (policyContext) => {
  const { user } = policyContext.state;
  if (policyContext.state.user === undefined) return false;
  return user.id === Number(policyContext.params.owner);
};
