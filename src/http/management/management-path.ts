/** Whether the router would match the path, as it is in the URL, to the management API. */
export function isManagementPath(path: string): boolean {
  try {
    return /^\/api\/_manage(?:\/|$)/i.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}
