import { useState } from 'react';
import { answerOf } from '../../client/client.ts';

/** What a call with `Accept: text/csv` and `parseAs: 'blob'` gives; its types know only the JSON. */
type FileCall = () => Promise<{ readonly response: Response }>;

/** How a call asks for a file: `api.GET('/visits', { params, ...AS_CSV })`. */
export const AS_CSV = { parseAs: 'blob', headers: { Accept: 'text/csv' } } as const;

/** Saves files that the API makes. The header `Accept` says that it is CSV, which a link could not. */
export function useDownload() {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const download = async (name: string, call: FileCall) => {
    setBusy(name);
    setError(null);
    try {
      save((await answerOf(call())) as unknown as Blob, name);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(null);
    }
  };
  return { download: (name: string, call: FileCall) => void download(name, call), busy, error };
}

/** Saves bytes under a name, as a click on a download would. */
function save(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has begun to read by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
