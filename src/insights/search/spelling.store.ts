import type { Db } from '../../platform/database/db.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';

const MOST_LIKE = 10;
/** The caller waits; after this time the words stay as written. */
const TIMEOUT_MS = 1_000;
/** Least similarity of a candidate: three of ten trigrams for a word, correspondingly for a word in a name. */
const WORD_SIMILARITY = 0.3;

export interface LikeWords {
  /** Words that the user’s insights contain, or that begin such a word. */
  readonly known: ReadonlySet<string>;
  /** For each word the most similar words of the user’s insights. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** For each word the names of the user’s devices and scenes with a similar word. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

interface Row {
  word: string;
  kind: 'known' | 'word' | 'name';
  like: string;
}

/** Similar words and names of a user. @param words letters only, folded */
export async function wordsLike(
  db: Db,
  userId: string,
  words: readonly { word: string; beginning: string }[],
): Promise<LikeWords> {
  const asked = Prisma.sql`unnest(${words.map(({ word }) => word)}::text[], ${words.map(({ beginning }) => beginning)}::text[]) AS asked(word, beginning)`;
  const setting = (name: string, value: number) =>
    db.$executeRaw`SELECT set_config(${name}, ${String(value)}, true)`;
  const namesIn = (table: Prisma.Sql, key: Prisma.Sql) => Prisma.sql`
    SELECT asked.word, 'name' AS kind, named.name AS like FROM ${asked} CROSS JOIN LATERAL (
      SELECT name FROM ${table} AS place
      WHERE "userId" = ${userId}::uuid AND "deletedAt" IS NULL AND name %> asked.word
        AND NOT EXISTS (SELECT 1 FROM "Recording" AS r WHERE r.${key} = place.id)
      ORDER BY word_similarity(asked.word, name) DESC LIMIT ${MOST_LIKE}) AS named`;
  const [, , , rows] = await db.$transaction([
    setting('statement_timeout', TIMEOUT_MS),
    setting('pg_trgm.similarity_threshold', WORD_SIMILARITY),
    setting('pg_trgm.word_similarity_threshold', WORD_SIMILARITY),
    db.$queryRaw<Row[]>`
      SELECT asked.word, 'known' AS kind, '' AS like FROM ${asked} WHERE EXISTS (
        SELECT 1 FROM "SearchWord" AS said WHERE said."userId" = ${userId}::uuid AND said.word LIKE asked.beginning || '%')
      UNION ALL
      SELECT asked.word, 'word', said.word FROM ${asked} CROSS JOIN LATERAL (
        SELECT said.word FROM "SearchWord" AS said WHERE said."userId" = ${userId}::uuid AND said.word % asked.word
        ORDER BY similarity(said.word, asked.word) DESC, said.word LIMIT ${MOST_LIKE}) AS said
      UNION ALL ${namesIn(Prisma.sql`"Device"`, Prisma.sql`"deviceId"`)}
      UNION ALL ${namesIn(Prisma.sql`"Scene"`, Prisma.sql`"sceneId"`)}`,
  ]);
  const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
  const byWord = (found: readonly Row[]) => {
    const lists = new Map<string, string[]>();
    for (const { word, like } of found) lists.set(word, [...(lists.get(word) ?? []), like]);
    return lists;
  };
  return {
    known: new Set(of('known').map(({ word }) => word)),
    words: byWord(of('word')),
    names: byWord(of('name')),
  };
}
