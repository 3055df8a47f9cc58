import { Carillon } from '@carillon/client';
import { serviceUrl } from './place';

/** The published API, with the session's cookie instead of a key. */
export const carillon = new Carillon({ url: serviceUrl });
