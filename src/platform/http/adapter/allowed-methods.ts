import type { Request } from 'express';
import { pathOf } from '../path-of.js';

type AllowedMethods = (path: string) => string[];

/** The methods that the path of a request knows. None: there is no such path. */
export const allowedMethods = ({ app, originalUrl }: Request): string[] =>
  (app.get('allowed methods') as AllowedMethods | undefined)?.(pathOf(originalUrl)) ?? [];
