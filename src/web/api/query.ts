import {
  QueryClient,
  type QueryKey,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { answerOf, dataOf } from '../../client/client.ts';
import { ApiFailure } from './client.ts';

type Called<Body> = Parameters<typeof answerOf<Body>>[0];

/** A fault of the request is not mended by sending it again; a lost answer may be. */
function isWorthRetrying(count: number, error: Error): boolean {
  if (error instanceof ApiFailure && error.status < 500) return false;
  return count < 2;
}

/** Stale data stays on the screen while newer data is read; the event stream says when something has changed. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 10 * 60_000,
      retry: isWorthRetrying,
      networkMode: 'always',
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

type Options<Data> = Omit<UseQueryOptions<Data, Error>, 'queryKey' | 'queryFn'>;

/**
 * Reads a call of the API: `useCall(['device', id], () => api.GET('/devices/{id}', { params: { path: { id } } }))`.
 * Show the result with `<Async query={…}>`.
 */
export const useCall = <Data>(
  key: QueryKey,
  call: () => Called<{ data: Data }>,
  options: Options<Data> = {},
) => useQuery<Data, Error>({ ...options, queryKey: key, queryFn: () => dataOf(call()) });

interface ListAnswer<Item> {
  readonly data: readonly Item[];
  readonly pagination: { readonly totalPages: number } & (
    | { readonly page: number; readonly total: number }
    | { readonly currentPage: number; readonly totalRecords: number }
  );
}

/**
 * Reads a list of the API page by page. `items` has those read so far, `total` counts all, `<MoreButton list={…}>` reads on.
 * @param call gets the number of the page
 */
export function useList<Item>(
  key: QueryKey,
  call: (page: number) => Called<ListAnswer<Item>>,
  options: { readonly enabled?: boolean; readonly refetchInterval?: number } = {},
) {
  const query = useInfiniteQuery({
    ...options,
    queryKey: key,
    initialPageParam: 1,
    queryFn: ({ pageParam }) => answerOf(call(pageParam)),
    getNextPageParam: ({ pagination }, pages) =>
      pages.length < pagination.totalPages ? pages.length + 1 : undefined,
  });
  const first = query.data?.pages[0]?.pagination;
  return {
    ...query,
    items: query.data?.pages.flatMap(({ data }) => data) ?? [],
    total: first === undefined ? null : 'total' in first ? first.total : first.totalRecords,
  };
}

interface ActionOptions<Data> {
  /** Beginnings of the keys whose data has changed by it. */
  readonly changes?: readonly QueryKey[];
  readonly onDone?: (data: Data) => void;
}

/**
 * A call that changes something: `const save = useAction((body: Body) => api.POST('/sites', { body }), { changes: [['sites']] })`,
 * then `save.mutate(body)`. `save.error` is an ApiFailure.
 */
export function useAction<Input, Data>(
  call: (input: Input) => Called<{ data: Data }>,
  { changes = [], onDone }: ActionOptions<Data> = {},
) {
  const client = useQueryClient();
  return useMutation<Data | undefined, Error, Input>({
    // A deletion answers without a body.
    mutationFn: async (input) => (await answerOf(call(input)))?.data,
    onSuccess: async (data) => {
      await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })));
      onDone?.(data as Data);
    },
  });
}
