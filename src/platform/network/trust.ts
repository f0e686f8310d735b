import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** By the text of the certificates: to read all public authorities takes longer than a message. */
const contexts = new Map<string, SecureContext>();

/**
 * What connections of TLS 1.2 and newer trust: the public authorities and the certificates of a PEM file.
 * @param file names the file and the variable that it comes from
 * @throws Error that names the variable when the file cannot be read
 */
export function trust(file: {
  readonly path?: string | undefined;
  readonly variable: string;
}): SecureContext {
  const certificates = file.path ? readCertificates(file.path, file.variable) : '';
  let context = contexts.get(certificates);
  if (!context) {
    const ca = certificates === '' ? {} : { ca: [...rootCertificates, certificates] };
    context = createSecureContext({ minVersion: 'TLSv1.2', ...ca });
    contexts.set(certificates, context);
  }
  return context;
}

function readCertificates(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error(`${variable}: ${path} cannot be read`);
  }
}
