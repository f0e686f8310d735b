import { count, postgresUrl } from '../settings.ts';

/** The environment variables of the database. */
export const DATABASE_VARIABLES = {
  DATABASE_URL: postgresUrl
    .optional()
    .describe(
      'address of PostgreSQL, or of a connection pooler in front of it; `npm run db` starts a PostgreSQL and prints its address',
    ),
  DIRECT_DATABASE_URL: postgresUrl
    .optional()
    .describe(
      'address of PostgreSQL itself, without a pooler, for LISTEN and migrations; DATABASE_URL by default',
    ),
  DATABASE_POOL_SIZE: count(10, 1, 200).describe(
    'most connections that a process opens for its queries; the job queue and notifications open up to 7 more',
  ),
};
