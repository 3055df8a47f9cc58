import { expect, it } from '@jest/globals';
import { endToEnd, forwardedHeaders } from './hop-headers.js';

it('leaves out the headers of the connection, and a proof that the client made up', () => {
  const headers = {
    ...{ authorization: 'Key k', cookie: 'a=b', 'content-length': '3' },
    ...{ connection: 'close', 'keep-alive': 'timeout=5', te: 'trailers', upgrade: 'h2c', expect: '100-continue' },
    ...{ 'transfer-encoding': 'chunked', 'proxy-authorization': 'Basic x', 'x-carillon-cell': 'made up' },
  };
  expect(endToEnd(headers)).toEqual({ authorization: 'Key k', cookie: 'a=b', 'content-length': '3' });
});

it('keeps a header that Connection names', () => {
  const named = { authorization: 'Key k', cookie: 'a=b', host: 'x', 'content-length': '3', 'x-other': '1' };
  expect(endToEnd({ ...named, connection: `keep-alive, ${Object.keys(named).join(', ')}` })).toEqual(named);
});

it.each(['POST', 'PUT', 'PATCH'])('says where the body of a %s ends', (method) => {
  const framing = (headers: Record<string, string>, body?: Buffer) => forwardedHeaders({ method, headers }, body);
  expect(framing({ 'content-length': '3' })).toEqual({ 'content-length': '3' });
  expect(framing({ 'transfer-encoding': 'gzip, chunked' })).toEqual({ 'transfer-encoding': 'chunked' });
  expect(framing({})).toEqual({ 'content-length': '0' });
  const read = Buffer.from('read');
  expect(framing({ 'content-length': '9', 'content-encoding': 'gzip' }, read)).toEqual({ 'content-length': '4' });
  expect(framing({ 'transfer-encoding': 'chunked' }, Buffer.alloc(0))).toEqual({ 'content-length': '0' });
  expect(framing({ 'content-encoding': 'gzip', 'content-length': '9' })).toMatchObject({ 'content-encoding': 'gzip' });
});

it.each(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])('sends no body with %s', (method) => {
  const headers = { 'content-length': '3', 'transfer-encoding': 'chunked', 'content-encoding': 'gzip', accept: '*/*' };
  expect(forwardedHeaders({ method, headers }, undefined)).toEqual({ accept: '*/*' });
});
