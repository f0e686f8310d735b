import { useState } from 'react';
import { answerOf } from '../../client/client.ts';
import { localeNow } from '../text/text.ts';
import { csvForm } from './csv-form.ts';
import { saveBlob } from './save-file.ts';

/** What a call with `Accept: text/csv` and `parseAs: 'blob'` gives; its types know only the JSON. */
type FileCall = () => Promise<{ readonly response: Response }>;

/**
 * How a call asks for a file that the person's spreadsheet reads: `api.GET('/visits', asCsv({ query }))`.
 * @param params of the call
 */
export const asCsv = <Query extends object, Params extends { readonly query: Query }>(
  params: Params & { readonly query: Query },
) => ({
  params: { ...params, query: { ...params.query, ...csvForm(localeNow()) } },
  parseAs: 'blob' as const,
  headers: { Accept: 'text/csv' },
});

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
