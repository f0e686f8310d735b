/** How often the state of the installation is read while the page is visible. */
export const REFRESH_MS = 5_000;
