import { useState } from 'react';
import { answerOf } from '../../client/client.ts';
import { saveBlob } from './save-file.ts';

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
      saveBlob((await answerOf(call())) as unknown as Blob, name);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(null);
    }
  };
  return { download: (name: string, call: FileCall) => void download(name, call), busy, error };
}
