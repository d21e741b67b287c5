/** Any path that the router would bring here, as it stands in a URL. */
export function isManagementPath(path: string): boolean {
  try {
    return /^\/api\/_manage(?:\/|$)/i.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}
