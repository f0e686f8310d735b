/** Whether an error says that a unique index already holds the row. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === 'P2002';
