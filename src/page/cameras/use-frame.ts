import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiFailure } from '../api/client.ts';

interface Frame {
  readonly jpeg: Blob;
  /** When the picture was taken; null if that is not known. */
  readonly capturedAt: string | null;
}

/** Large enough for drawing; the service never enlarges a picture. */
const WIDTH = 960;
const keyOf = (deviceId: string) => ['frame', deviceId];

/** @returns null where the camera gives no picture */
async function readFrame(deviceId: string): Promise<Frame | null> {
  const path = `api/v1/devices/${encodeURIComponent(deviceId)}/frame?orNothing=true&width=${WIDTH}`;
  const response = await fetch(path);
  if (response.status === 204) return null;
  if (!response.ok) throw new ApiFailure(response, await response.json().catch(() => undefined));
  return { jpeg: await response.blob(), capturedAt: response.headers.get('X-Captured-At') };
}

/** A still of a camera. `url` is null before the first one. @param everyMs reads it again and again; false reads it once */
export function useFrame(deviceId: string, everyMs: number | false = false) {
  const query = useQuery<Frame | null, Error>({
    queryKey: keyOf(deviceId),
    queryFn: () => readFrame(deviceId),
    refetchInterval: everyMs,
    refetchOnWindowFocus: everyMs !== false,
    staleTime: everyMs === false ? Number.POSITIVE_INFINITY : 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return {
    ...query,
    url: useAddressOf(query.data?.jpeg ?? null),
    capturedAt: query.data?.capturedAt ?? null,
  };
}

/** Keeps the picture of a probe, so that the camera need not be opened again for drawing. */
export function useKeepFrame(): (deviceId: string, jpeg: Blob) => void {
  const client = useQueryClient();
  return (deviceId, jpeg) => client.setQueryData<Frame>(keyOf(deviceId), { jpeg, capturedAt: null });
}

/** The address of a picture in this page, as long as it is shown. */
export function useAddressOf(jpeg: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!jpeg) return setUrl(null);
    const made = URL.createObjectURL(jpeg);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [jpeg]);
  return url;
}

/** The policy of the page allows no `data:` addresses. */
export function blobOf({
  base64,
  contentType,
}: {
  readonly base64: string;
  readonly contentType: string;
}): Blob {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: contentType });
}
