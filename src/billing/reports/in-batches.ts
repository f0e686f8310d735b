const AT_ONCE = 1000;

/** Every row, so many read at a time, each time those after the last. */
export async function* inBatches<Row>(
  read: (atMost: number, last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  let last: Row | undefined;
  do {
    const rows = await read(AT_ONCE, last);
    yield* rows;
    last = rows.length === AT_ONCE ? rows.at(-1) : undefined;
  } while (last !== undefined);
}

/** Every row as it is shown. */
export async function* shown<Row, Shown>(
  rows: AsyncIterable<Row>,
  present: (row: Row) => Shown,
): AsyncGenerator<Shown> {
  for await (const row of rows) yield present(row);
}
