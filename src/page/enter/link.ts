export interface Link {
  /** It may belong to the first set-up, which asks for more than a code. */
  readonly isSetup: boolean;
  /** Signs in, once. */
  readonly code: string | null;
  /** Where to go after the sign-in. */
  readonly to: string;
}

/**
 * What a link says: a place with a one-time code, `#/cameras/ID?code=…`. At `/enter` and `/setup` it leads to Now.
 * @param place the part of the address behind `#`, without its query
 * @param query what is behind its `?`
 */
export function linkOf(place: string, query: string): Link {
  const given = new URLSearchParams(query);
  const code = given.get('code');
  const isSetup = place === '/setup';
  if (place === '/enter' || isSetup) return { code, isSetup, to: '/' };
  given.delete('code');
  return { code, isSetup, to: given.size === 0 ? place : `${place}?${given}` };
}
