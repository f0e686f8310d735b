/** What metrics of this moment are made of: the people who are there. */
export interface Now {
  /** How long each person in the queue has waited so far, in seconds. */
  readonly waits: readonly number[];
  /** How long each person in service has been served so far, in seconds. */
  readonly services: readonly number[];
  /** How long somebody waits who joins now; null where nobody can say. */
  readonly wait: {
    readonly median: number | null;
    readonly low: number | null;
    readonly high: number | null;
  };
  /** How many tills are in these states; null before their first frame, and without tills. */
  readonly tills: { readonly serving: number; readonly free: number } | null;
}
