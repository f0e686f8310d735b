import type { Resource } from '../api/client.ts';
import { queryClient } from '../api/query.ts';
import { createStore } from '../api/store.ts';
import { type FileToSend, newKey, sendFile } from './send-file.ts';
import { type Sample, withSample } from './transfer.ts';

/** The one upload of this page. It goes on while other screens are shown. */
export type Upload =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'sending';
      readonly name: string;
      readonly totalBytes: number;
      readonly samples: readonly Sample[];
    }
  | { readonly kind: 'failed'; readonly name: string; readonly error: unknown }
  | { readonly kind: 'done'; readonly recording: Resource<'Recording'> };

export const upload = createStore<Upload>({ kind: 'none' });

let sending: AbortController | null = null;
let last: FileToSend | null = null;

/** Browsers ask before they leave a page that uploads. */
const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

export function startUpload(wanted: Omit<FileToSend, 'idempotencyKey'>): void {
  void send({ ...wanted, idempotencyKey: newKey() });
}

/** Sends the file again that failed. With the same key a file that did arrive is not stored twice. */
export function repeatUpload(): void {
  if (last) void send(last);
}

export function cancelUpload(): void {
  sending?.abort();
  forgetUpload();
}

export function forgetUpload(): void {
  last = null;
  upload.set({ kind: 'none' });
}

async function send(wanted: FileToSend): Promise<void> {
  if (upload.get().kind === 'sending') return;
  const own = new AbortController();
  [sending, last] = [own, wanted];
  const { name, file } = wanted;
  const note = (samples: readonly Sample[]) => {
    if (!own.signal.aborted) upload.set({ kind: 'sending', name, totalBytes: file.size, samples });
  };
  let samples: readonly Sample[] = [{ atMs: performance.now(), bytes: 0 }];
  note(samples);
  addEventListener('beforeunload', ask);
  try {
    const recording = await sendFile(wanted, {
      signal: own.signal,
      onSent: (bytes) => {
        samples = withSample(samples, { atMs: performance.now(), bytes: Math.min(bytes, file.size) });
        note(samples);
      },
    });
    last = null;
    upload.set({ kind: 'done', recording });
    await queryClient.invalidateQueries({ queryKey: ['recordings'] });
  } catch (error) {
    if (!own.signal.aborted) upload.set({ kind: 'failed', name, error });
  } finally {
    removeEventListener('beforeunload', ask);
  }
}
