import { ApiFailure, NetworkFailure, type Resource } from '../api/client.ts';

export interface FileToSend {
  readonly file: Blob;
  readonly name: string;
  /** ISO. */
  readonly recordedAt: string;
  readonly timezone: string;
  readonly idempotencyKey: string;
}

interface SendOptions {
  readonly signal: AbortSignal;
  readonly onSent: (bytes: number) => void;
}

/**
 * Uploads a recording. XMLHttpRequest says how much was sent, which fetch does not.
 * @throws ApiFailure what the API answered; NetworkFailure when the connection broke; DOMException AbortError
 */
export function sendFile(sent: FileToSend, { signal, onSent }: SendOptions): Promise<Resource<'Recording'>> {
  const { file, name, recordedAt, timezone, idempotencyKey } = sent;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ name, recordedAt, timezone });
    request.open('POST', `api/v1/recordings?${query}`);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.setRequestHeader('Idempotency-Key', idempotencyKey);
    request.responseType = 'text';
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      const body = parsed(request.responseText);
      const headers = new Headers({ 'Retry-After': request.getResponseHeader('Retry-After') ?? '' });
      if (request.status >= 200 && request.status < 300)
        resolve((body as { data: Resource<'Recording'> }).data);
      else
        reject(
          new ApiFailure(new Response(null, { status: request.status, headers }), body as Resource<'Error'>),
        );
    };
    request.onerror = () => reject(new NetworkFailure('The upload broke off'));
    request.onabort = () => reject(new DOMException('The upload was cancelled', 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A random key, also where the page came over plain http: `randomUUID` is absent there. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
