/** Most keys that are listed or removed at once; the limit of S3. */
export const PAGE = 1000;

/** Beginning of the names of what belongs to a user, below a day or kind. */
export const namesOf = (userId: string): string => `${userId}.`;
