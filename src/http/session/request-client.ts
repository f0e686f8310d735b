import type { Request, Response } from 'express';
import type { Client } from '../route.ts';
import type { CookieName, Cookies } from './cookies.ts';

/** The client of a request. A class, because every request has one and few ask it anything. */
export class RequestClient implements Client {
  readonly #request: Request;
  readonly #response: Response;
  readonly #cookies: Cookies;

  constructor(request: Request, response: Response, cookies: Cookies) {
    this.#request = request;
    this.#response = response;
    this.#cookies = cookies;
  }

  get address(): string | null {
    return this.#request.ip ?? null;
  }

  get userAgent(): string | null {
    return this.#request.get('User-Agent') ?? null;
  }

  get device(): string | undefined {
    return this.#cookies.read(this.#request, 'vas-device');
  }

  setCookie(name: CookieName, value: string | null): void {
    this.#cookies.set(this.#request, this.#response, { name, value });
  }

  keepSession(): void {
    const value = this.#cookies.read(this.#request, 'vas');
    if (value !== undefined) this.setCookie('vas', value);
  }
}
