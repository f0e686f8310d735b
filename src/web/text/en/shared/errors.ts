/** Errors by their code; null shows the message of the API, which is more precise. */
export const errors: Partial<Record<string, string>> = {
  NETWORK: 'The service cannot be reached. Check the network and try again.',
  SERVICE_UNAVAILABLE: 'The service is not available at the moment. Try again soon.',
  INTERNAL_ERROR: 'The service made a mistake. Try again; if it happens again, tell the operator.',
};
