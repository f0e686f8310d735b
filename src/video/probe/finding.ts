/** What one question finds: a video; a host that answers without saying what it sends; or words against it, as ffmpeg's. */
export type Finding = { readonly what: 'video' | 'host' } | { readonly what: 'fault'; readonly said: string };
