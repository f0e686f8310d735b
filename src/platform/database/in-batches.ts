const BATCH = 1000;

/**
 * All rows of a query, read in batches as the caller takes them.
 * @param read the next rows after `last`; the first call has none
 */
export async function* inBatches<Row>(
  read: (atMost: number, last: Row | undefined) => Promise<readonly Row[]>,
  batch = BATCH,
): AsyncGenerator<Row> {
  for (let last: Row | undefined; ; ) {
    const rows = await read(batch, last);
    yield* rows;
    if (rows.length < batch) return;
    last = rows.at(-1);
  }
}
