import { dataOf } from '../../client/client.ts';
import { api } from '../api/client.ts';
import { noteEnded } from '../api/connection.ts';
import { OR_NOTHING, queryClient, readOrNull } from '../api/query.ts';
import type { SignedIn } from '../api/session.tsx';

export const SESSION_KEY = ['session'];
/** Who is signed in; null where nobody is. */
export const SESSION_QUERY = {
  queryKey: SESSION_KEY,
  queryFn: () => readOrNull(api.GET('/session', OR_NOTHING)),
};

type Way = { email: string; password: string } | { apiKey: string } | { code: string };

const begin = (way: Way): Promise<SignedIn> => dataOf(api.POST('/session', { body: way }));

let begun: { readonly code: string; readonly answer: Promise<SignedIn> } | undefined;
/** Sends the code of the link by which the page was opened before its screens are there; `signIn` takes the answer. */
export function signInAhead(code: string): Promise<SignedIn> {
  begun = { code, answer: begin({ code }) };
  return begun.answer;
}

/** Begins a session in this browser. */
export async function signIn(way: Way): Promise<SignedIn> {
  const answer = 'code' in way && way.code === begun?.code ? begun.answer : begin(way);
  begun = undefined;
  const signedIn = await answer;
  enterAs(signedIn);
  return signedIn;
}

/** The page goes on as this session; screens read their data again, because it may be another person. */
export function enterAs(signedIn: SignedIn): void {
  queryClient.setQueryData(SESSION_KEY, signedIn);
  noteEnded(false);
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
}
