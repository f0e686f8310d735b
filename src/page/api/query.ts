import {
  type InfiniteData,
  QueryClient,
  type QueryKey,
  skipToken,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { answerOf, dataOf } from '../../client/client.ts';
import { ApiFailure } from './client.ts';

type Called<Body> = Parameters<typeof answerOf<Body>>[0];

/** What a call answers in other forms: CSV or HTML, which these calls do not ask for. */
type Other = string;

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

/** What there need not be: the service answers 204, because a browser writes each 4xx to its console. */
export const OR_NOTHING = { params: { query: { orNothing: true } } } as const;
export const readOrNull = async <Data>(call: Called<{ data: Data } | undefined>): Promise<Data | null> =>
  (await answerOf(call))?.data ?? null;

type Options<Data> = Omit<UseQueryOptions<Data, Error>, 'queryKey' | 'queryFn'>;

/** Reads a call for `useQueries`, where a screen needs several at once. */
export const read = <Data>(call: () => Called<{ data: Data } | Other>): Promise<Data> =>
  dataOf(call() as Called<{ data: Data }>);

/**
 * Reads a call of the API: `useCall(['device', id], () => api.GET('/devices/{id}', { params: { path: { id } } }))`.
 * Show the result with `<Async query={…}>`.
 * @param call false as long as it is not known what to ask
 */
export const useCall = <Data>(
  key: QueryKey,
  call: false | (() => Called<{ data: Data } | Other>),
  options: Options<Data> = {},
) =>
  useQuery<Data, Error>({
    ...options,
    queryKey: key,
    queryFn: call ? () => read(call) : skipToken,
  });

type Pagination = { readonly totalPages: number } & (
  | { readonly page: number; readonly total: number }
  | { readonly currentPage: number; readonly totalRecords: number }
);

type ListAnswer<Item> = { readonly data: readonly Item[] } & (
  | { readonly meta: { readonly pagination: Pagination } }
  // The list of deliveries of a webhook.
  | { readonly pagination: Pagination }
);

const paginationOf = (answer: ListAnswer<unknown>): Pagination =>
  'pagination' in answer ? answer.pagination : answer.meta.pagination;

interface ListOptions<Item> {
  readonly enabled?: boolean;
  /** In milliseconds while the page is visible, also by what was read last. */
  readonly refetchInterval?: number | ((items: readonly Item[]) => number | false);
}

/**
 * Reads a list of the API page by page. `items` has those read so far, `total` counts all, `<MoreButton list={…}>` reads on.
 * @param call gets the number of the page
 */
export function useList<Item>(
  key: QueryKey,
  call: (page: number) => Called<ListAnswer<Item> | Other>,
  { refetchInterval, ...options }: ListOptions<Item> = {},
) {
  const query = useInfiniteQuery<ListAnswer<Item>, Error, InfiniteData<ListAnswer<Item>>, QueryKey, number>({
    ...options,
    refetchInterval: ({ state }) =>
      typeof refetchInterval === 'function'
        ? refetchInterval(state.data?.pages.flatMap(({ data }) => data) ?? [])
        : (refetchInterval ?? false),
    // A call of the same key has data of another form.
    queryKey: [...key, 'pages'],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => answerOf(call(pageParam) as Called<ListAnswer<Item>>),
    getNextPageParam: (last, pages) =>
      pages.length < paginationOf(last).totalPages ? pages.length + 1 : undefined,
  });
  const page = query.data?.pages[0];
  const first = page && paginationOf(page);
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
  call: (input: Input) => Called<{ data: Data } | undefined>,
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
