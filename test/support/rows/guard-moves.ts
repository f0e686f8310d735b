import pg from 'pg';
import { MOVES } from '../../../src/runs/store/states.ts';

/** `from to` of every move that the table of states allows. */
const ALLOWED = Object.entries(MOVES).flatMap(([from, moves]) =>
  Object.values(moves as Record<string, string>).map((to) => `${from} ${to}`),
);

/** The state of a row, as `stateOf` reads it. */
const stateOf = (row: 'NEW' | 'OLD') => `(CASE
  WHEN ${row}.status <> 'PROCESSING' THEN lower(${row}.status::text)
  WHEN ${row}."stopRequestedAt" IS NULL THEN CASE ${row}."runStatus" WHEN 'running' THEN 'running' ELSE 'starting' END
  ELSE CASE ${row}."runStatus" WHEN 'running' THEN 'stopping' ELSE 'stoppingEarly' END END)`;

const GUARD = `
  CREATE FUNCTION refuse_forbidden_move() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE move text := ${stateOf('OLD')} || ' ' || ${stateOf('NEW')};
  BEGIN
    IF ${stateOf('OLD')} <> ${stateOf('NEW')} AND move <> ALL (ARRAY[${ALLOWED.map((move) => `'${move}'`)}]) THEN
      RAISE EXCEPTION 'src/runs/store/states.ts has no move of a run from % to %', ${stateOf('OLD')}, ${stateOf('NEW')};
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER refuse_forbidden_move
    AFTER UPDATE OF status, "runStatus", "stopRequestedAt" ON "AnalysisTask"
    FOR EACH ROW EXECUTE FUNCTION refuse_forbidden_move();`;

/** From now on this database refuses every change of a run's state that `MOVES` does not have, whoever makes it. */
export async function guardMoves(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(GUARD);
  } finally {
    await client.end();
  }
}
