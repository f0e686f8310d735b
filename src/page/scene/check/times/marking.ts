import type { Resource } from '../../../api/client.ts';

export type Marked = NonNullable<Resource<'OpenedCheck'>['marked']>[number];
/** What can be marked of a person. */
export type Mark = 'joined' | 'served' | 'left';

/** Seconds are told with one digit: nobody presses a key more exactly. */
const rounded = (second: number): number => Math.round(Math.max(0, second) * 10) / 10;

/** Somebody new, who joins the line or, where none can be, is served at once. */
export function addPerson(visits: readonly Marked[], second: number, isServed: boolean): Marked[] {
  const at = rounded(second);
  // Names stay free after a person was removed.
  const highest = Math.max(0, ...visits.map(({ person }) => Number(person) || 0));
  const times = isServed ? { joinedAt: null, servedAt: at } : { joinedAt: at, servedAt: null };
  return [...visits, { person: String(highest + 1), ...times, leftAt: null }];
}

/** What is to be marked of a person next, by default: who waits is served, who is served leaves. */
export const nextMark = ({ servedAt }: Marked, hasService: boolean): 'served' | 'left' =>
  servedAt === null && hasService ? 'served' : 'left';

/** Marks the service or the end of a person; not before what was marked of them already. */
export function markPerson(
  visits: readonly Marked[],
  person: string,
  { mark, second }: { readonly mark: 'served' | 'left'; readonly second: number },
): Marked[] {
  return visits.map((visit) => {
    if (visit.person !== person || visit.leftAt !== null) return visit;
    const at = Math.max(rounded(second), visit.servedAt ?? visit.joinedAt ?? 0);
    return { ...visit, [mark === 'served' ? 'servedAt' : 'leftAt']: at };
  });
}

/** Takes back the last mark of a person; who has none left is gone. */
export function unmark(visits: readonly Marked[], person: string): Marked[] {
  return visits.flatMap((visit) => {
    if (visit.person !== person) return [visit];
    if (visit.leftAt !== null) return [{ ...visit, leftAt: null }];
    return visit.servedAt !== null && visit.joinedAt !== null ? [{ ...visit, servedAt: null }] : [];
  });
}

/** Those who are there at a time, as far as they are marked: who waits and who is served, in the order in which they came. */
export function present(visits: readonly Marked[]): Readonly<Record<'waiting' | 'served', Marked[]>> {
  const open = visits.filter(({ leftAt }) => leftAt === null);
  return {
    waiting: open.filter(({ servedAt }) => servedAt === null),
    served: open.filter(({ servedAt }) => servedAt !== null),
  };
}

export type FilmKey =
  | { readonly kind: Mark }
  | { readonly kind: 'play' | 'undo' }
  | { readonly kind: 'seek'; readonly seconds: number }
  | { readonly kind: 'speed'; readonly speed: number };

/** What a key does. The first of those who wait begins to be served, the first of those who are served leaves. */
export function filmKey(key: string): FilmKey | null {
  if (/^[1-4]$/.test(key)) return { kind: 'speed', speed: Number(key) };
  switch (key.toLowerCase()) {
    case 'j':
      return { kind: 'joined' };
    case 's':
      return { kind: 'served' };
    case 'l':
      return { kind: 'left' };
    case ' ':
      return { kind: 'play' };
    case 'backspace':
      return { kind: 'undo' };
    case 'arrowleft':
      return { kind: 'seek', seconds: -5 };
    case 'arrowright':
      return { kind: 'seek', seconds: 5 };
    default:
      return null;
  }
}

/** The pictures of a piece of a film: JPEGs one after the other. Inside of one, no end is followed by a beginning. */
export function picturesOf(bytes: Uint8Array<ArrayBuffer>): Blob[] {
  const pictures: Blob[] = [];
  let from = 0;
  for (let at = 1; at < bytes.length; at++) {
    const ends = bytes[at - 1] === 0xff && bytes[at] === 0xd9;
    const begins = bytes[at + 1] === 0xff && bytes[at + 2] === 0xd8;
    if (!ends || !(begins || at === bytes.length - 1)) continue;
    pictures.push(new Blob([bytes.subarray(from, at + 1)], { type: 'image/jpeg' }));
    from = at + 1;
  }
  return pictures;
}
