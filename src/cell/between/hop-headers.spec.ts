import { expect, it } from '@jest/globals';
import { endToEnd } from './hop-headers.js';

it('leaves out the headers of the connection, and a proof that the client made up', () => {
  const headers = {
    ...{ authorization: 'Key k', cookie: 'a=b', 'x-other': '1', 'content-length': '3' },
    ...{
      connection: 'close, X-Other',
      'keep-alive': 'timeout=5',
      te: 'trailers',
      upgrade: 'h2c',
      expect: '100-continue',
    },
    ...{ 'transfer-encoding': 'chunked', 'proxy-authorization': 'Basic x', 'x-carillon-cell': 'made up' },
  };
  expect(endToEnd(headers)).toEqual({ authorization: 'Key k', cookie: 'a=b', 'content-length': '3' });
});
