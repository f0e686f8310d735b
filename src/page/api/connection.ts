import { createStore } from './store.ts';

export interface Connection {
  /** False after a call or the event stream got no answer, until one gets an answer again. */
  readonly isOnline: boolean;
  /** Whether a call was answered with 401 although somebody was signed in here. */
  readonly hasEnded: boolean;
  /** Time of the service minus time of this browser. */
  readonly skewMs: number;
}

export const connection = createStore<Connection>({ isOnline: true, hasEnded: false, skewMs: 0 });

/** @param isSignIn whether the call itself says who is signed in */
export function noteAnswer(response: Response, isSignIn: boolean): void {
  const said = Date.parse(response.headers.get('Date') ?? '');
  const { skewMs, hasEnded, isOnline } = connection.get();
  // The header has whole seconds; a smaller difference is not worth a change.
  const skew = Number.isNaN(said) ? skewMs : said + 500 - Date.now();
  const change = {
    // A proxy answers for a service that is away.
    isOnline: ![502, 503, 504].includes(response.status),
    hasEnded: hasEnded || (response.status === 401 && !isSignIn),
    skewMs: Math.abs(skew - skewMs) > 1_500 ? skew : skewMs,
  };
  if (change.isOnline !== isOnline || change.hasEnded !== hasEnded || change.skewMs !== skewMs)
    connection.set(change);
}

export const noteNoAnswer = (): void => {
  if (connection.get().isOnline) connection.set({ ...connection.get(), isOnline: false });
};

export const noteEnded = (hasEnded: boolean): void => {
  if (connection.get().hasEnded !== hasEnded) connection.set({ ...connection.get(), hasEnded });
};

/** The time by the clock of the service. */
export const serverNow = (): number => Date.now() + connection.get().skewMs;
