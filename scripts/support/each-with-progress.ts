import { progress } from './terminal.ts';

/** Handles items one after the other and shows a progress bar. @param unit what the items are, e.g. `sequences` */
export async function eachWithProgress<Item, Result>(
  label: string,
  items: readonly Item[],
  unit: string,
  handle: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const bar = progress(label, items.length, unit);
  const results: Result[] = [];
  try {
    for (const item of items) {
      results.push(await handle(item));
      bar.update(results.length);
    }
  } finally {
    bar.stop();
  }
  return results;
}
