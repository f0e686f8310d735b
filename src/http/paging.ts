import { z } from 'zod';

/** One page of a list, with the exact number of rows in all pages. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** A page from its rows and the number of all rows; both queries run at the same time. */
export async function pageOf<Item>(
  rows: Promise<readonly Item[]>,
  count: Promise<number>,
): Promise<Page<Item>> {
  const [items, total] = await Promise.all([rows, count]);
  return { items, total };
}

export const mapPage = <Row, Item>({ items, total }: Page<Row>, present: (row: Row) => Item): Page<Item> => ({
  items: items.map((row) => present(row)),
  total,
});

/** An order for Prisma in which no two rows are equal. */
export const NEWEST_FIRST: { createdAt?: 'desc'; id?: 'desc' }[] = [{ createdAt: 'desc' }, { id: 'desc' }];

export interface PageQuery {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

/** The two shapes of `pagination` in the API. */
export type PagingShape = 'A' | 'B';

/** `page` and `limit`, to spread into the schema of a query. */
export function pageFields(defaultLimit = 20) {
  return {
    page: z.coerce
      .number()
      .int()
      .min(1, 'must be at least 1. Pages are counted from 1')
      .default(1)
      .meta({ description: 'Number of the page; the first is 1' }),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(100, 'must be at most 100. Ask for further entries with page=2, page=3 …')
      .default(defaultLimit)
      .meta({ description: 'Entries per page, 1-100' }),
  };
}

/** Prisma's offsets have fewer bits than PostgreSQL's; a page that far away is empty anyway. */
const FARTHEST_ROW = 2 ** 31 - 1;

/** `skip` and `take` of Prisma for a page. */
export const rowsOf = ({ page, limit }: PageQuery): { skip: number; take: number } => ({
  skip: Math.min((page - 1) * limit, FARTHEST_ROW),
  take: limit,
});

const limit = z.int().meta({ description: 'Entries per page' });
const totalPages = z.int().meta({ description: 'Number of pages; 0 if nothing matches' });

/** The schemas of the two shapes. */
export const PAGINATION = {
  A: z
    .strictObject({
      page: z.int().meta({ description: 'Number of this page; the first is 1' }),
      limit,
      total: z.int().meta({ description: 'Exact number of entries on all pages' }),
      totalPages,
    })
    .meta({ id: 'Pagination', description: 'Position in the list' }),
  B: z
    .strictObject({
      limit,
      currentPage: z.int().meta({ description: 'Number of this page; the first is 1' }),
      totalRecords: z.int().meta({ description: 'Exact number of entries on all pages' }),
      totalPages,
      nextPage: z.int().nullable().meta({ description: 'Number of the next page; null on the last page' }),
      previousPage: z.int().nullable().meta({
        description:
          'Number of the previous page; on a page past the end, the last page; null on the first page and if nothing matches',
      }),
    })
    .meta({ id: 'PaginationWithNeighbours', description: 'Position in the list' }),
};

/** `meta.pagination` in either shape. */
export function pagination(shape: PagingShape, { page, limit }: PageQuery, total: number) {
  const totalPages = Math.ceil(total / limit);
  if (shape === 'A') return { page, limit, total, totalPages };
  return {
    limit,
    currentPage: page,
    totalRecords: total,
    totalPages,
    nextPage: page < totalPages ? page + 1 : null,
    previousPage: Math.min(page - 1, totalPages) || null,
  };
}
