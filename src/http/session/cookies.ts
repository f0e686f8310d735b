import type { Request, Response } from 'express';

/** The session, and a mark of a browser that has signed in before. */
export type CookieName = 'vas' | 'vas-device';

/** The longest time that browsers keep a cookie. When a session ends is decided by the service. */
const KEPT_MS = 400 * 86_400_000;

/** Values of our cookies: base64url, and a dot between two parts. */
const VALUE = '[A-Za-z0-9_.-]{20,200}';

/**
 * The value of a cookie in a Cookie header. A cookie that is sent twice counts as absent: a page of a neighbouring
 * domain may have set one of the two.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (!header?.includes(name)) return undefined;
  const found = header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    // A neighbour may set a cookie that is only a value: it has no name.
    return at >= 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  const [value = ''] = found;
  return found.length === 1 && new RegExp(`^${VALUE}$`).test(value) ? value : undefined;
}

/**
 * The cookies of this service. On https their names begin with `__Host-`, which browsers accept only from https and for
 * exactly this host; on plain http browsers refuse such names. The scheme decides which name is read, so that the other
 * one, which an attacker on http could have set, never counts.
 */
export class Cookies {
  readonly #httpsHost: string | null;

  /** @param publicUrl address that clients use */
  constructor(publicUrl: string | undefined) {
    const url = publicUrl ? new URL(publicUrl) : null;
    this.#httpsHost = url?.protocol === 'https:' ? url.host : null;
  }

  /** Whether the browser uses https, by the proxy's word or because it names the host of an https PUBLIC_URL. */
  isHttps(request: Request): boolean {
    return request.secure || (this.#httpsHost !== null && request.host === this.#httpsHost);
  }

  read(request: Request, name: CookieName): string | undefined {
    const { cookie } = request.headers;
    return cookie === undefined ? undefined : readCookie(cookie, this.#named(request, name));
  }

  /** @param value null removes the cookie */
  set(
    request: Request,
    response: Response,
    { name, value }: { name: CookieName; value: string | null },
  ): void {
    response.cookie(this.#named(request, name), value ?? '', {
      httpOnly: true,
      sameSite: 'strict',
      secure: this.isHttps(request),
      // Also below a path of a proxy: `__Host-` cookies must be valid for the whole host.
      path: '/',
      maxAge: value === null ? 0 : KEPT_MS,
    });
  }

  #named(request: Request, name: CookieName): string {
    return this.isHttps(request) ? `__Host-${name}` : name;
  }
}
