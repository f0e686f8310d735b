/**
 * The address that another device opens to sign in.
 * @param pageAddress address of this page, also below a path of a proxy
 * @param path `/#/enter?code=…`, as the API gives it: below the address of the service
 */
export function linkAddress(pageAddress: string, path: string): string {
  const base = new URL('.', pageAddress.split('#')[0]);
  return `${base.href}${path.replace(/^\//, '')}`;
}

/** Whether another device cannot open an address of this page, because it names the machine itself. */
export function isOnlyHere(pageAddress: string): boolean {
  const { hostname } = new URL(pageAddress);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname);
}
