import { expect, it } from '@jest/globals';
import { builtInProvider } from '../../built-in.js';
import { nextPage, templatesIn } from './listing.js';

const listing = () => builtInProvider('whatsapp').test!.templates!;
const read = (...data: object[]) => templatesIn(listing(), { body: { data } });

it('a template of WhatsApp has its texts, and its buttons by position', () => {
  const components = [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
    { type: 'BODY', text: 'Hi {{1}}' },
    { type: 'FOOTER', text: 'Bye' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Stop' },
        { type: 'URL', text: 'Open', url: 'https://acme.test/{{1}}' },
        { type: 'OTP', otp_type: 'COPY_CODE' },
      ],
    },
  ];
  expect(read({ name: 'paid', language: 'de', status: 'APPROVED', components, id: '1' })).toEqual([
    {
      ...{ name: 'paid', language: 'de', status: 'APPROVED', isApproved: true },
      ...{ header: 'Order {{1}}', body: 'Hi {{1}}', others: [] },
      buttons: ['', 'https://acme.test/{{1}}', '{{1}}'],
    },
  ]);
});

it('a template of WhatsApp names what messages cannot fill', () => {
  const components = [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE' }] },
    { type: 'CAROUSEL', cards: [] },
  ];
  expect(read({ name: 'sale', language: 'de', status: 'PAUSED', components })).toMatchObject([
    {
      isApproved: false,
      header: '',
      others: ['HEADER IMAGE', 'COPY_CODE', 'CAROUSEL'],
    },
  ]);
});

it('a template without parts, an empty list and an answer of another kind can be read', () => {
  expect(read({ name: 'a' })).toEqual([
    { name: 'a', language: '', status: '', isApproved: false, header: '', body: '', buttons: [], others: [] },
  ]);
  expect(read()).toEqual([]);
  expect(templatesIn(listing(), { body: { error: {} } })).toBeNull();
  expect(templatesIn(listing(), { body: null })).toBeNull();
});

it('a list has a next page if Meta says so', () => {
  const paging = { cursors: { before: 'a', after: 'b' } };
  expect(nextPage(listing(), { body: { paging } })).toBeNull();
  expect(nextPage(listing(), { body: { paging: { ...paging, next: 'https://graph.facebook.com/next' } } })).toBe('b');
});

it('a full page is read within the steps that it may take', () => {
  const buttons = Array.from({ length: 10 }, () => ({ type: 'URL', url: 'https://acme.test/{{1}}' }));
  const components = [
    { type: 'BODY', text: 'x'.repeat(1_024) },
    { type: 'BUTTONS', buttons },
  ];
  expect(read(...Array.from({ length: 100 }, () => ({ name: 'paid', components })))).toHaveLength(100);
});
