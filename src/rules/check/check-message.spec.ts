import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LAYOUT } from '../template/layout/default-layout.js';
import { mjmlToHtml } from '../template/mjml/mjml-to-html.js';
import { compileTemplate, renderTemplate } from '../template/template.js';
import { checkMessage } from './check-message.js';
import type { CheckedMessage } from './check-message.js';

const LINK = 'https://carillon.example.com/u/sample';
const GOOD: CheckedMessage = {
  isMail: true,
  isPush: false,
  limits: {},
  subject: 'Order A-17 is paid',
  text: `Thank you for your order, Ann. ${LINK}`,
  html: `<p>Thank you for your order, Ann.</p><a href="${LINK}">Unsubscribe</a>`,
  missing: [],
  category: 'Orders',
  unsubscribeUrl: LINK,
  preferencesUrl: `${LINK}/preferences`,
  logo: null,
  fileUrls: [],
  cids: [],
};

const found = (message: Partial<CheckedMessage>) =>
  checkMessage({ ...GOOD, ...message }).map(({ id, level }) => `${level} ${id}`);
const withHtml = (more: string, message: Partial<CheckedMessage> = {}) => found({ html: GOOD.html + more, ...message });

/** Colors in attributes. */
const colored = (style: string, inside = 'Read me') =>
  `<div style="background:#fff"><p style="${style}">${inside}</p></div>`;

it('finds nothing in a good mail', () => {
  expect(checkMessage(GOOD)).toEqual([]);
});

describe('a mail in MJML', () => {
  const htmlOf = (color: string) => {
    const text = `<mj-text color="${color}">Thank you for your order, Ann.</mj-text><mj-button href="${LINK}">Unsubscribe</mj-button>`;
    const image = '<mj-image src="https://acme.test/tea.png" alt="Tea" width="100px" />';
    const head = '<mj-head><mj-title>Order</mj-title></mj-head>';
    const column = `<mj-section background-color="#ffffff"><mj-column>${image}${text}</mj-column></mj-section>`;
    const converted = mjmlToHtml(`<mjml>${head}<mj-body>${column}</mj-body></mjml>`);
    return 'html' in converted ? converted.html : '';
  };

  it('is seen, although its outer elements have the size 0', () => {
    const ids = (html: string) => found({ html }).filter((each) => !each.includes('remote'));
    expect(ids(htmlOf('#000000'))).toEqual([]);
    expect(ids(htmlOf('#dddddd'))).toEqual(['warning low_contrast']);
  });
});

describe('checkMessage finds', () => {
  it.each<[string, Partial<CheckedMessage>, Partial<CheckedMessage>]>([
    ['error empty_message', { text: ' ', html: '' }, { html: '' }],
    ['error subject_empty', { subject: ' ' }, { subject: 'x' }],
    ['error subject_empty', { subject: '' }, { subject: '', isMail: false }],
    ['warning subject_long', { subject: 'x'.repeat(71) }, { subject: '😀'.repeat(70) }],
    ['warning no_text', { text: '' }, { text: '', isMail: false }],
    ['warning subject_cut', { subject: 'xxx', limits: { subject: 2 } }, { subject: 'xx', limits: { subject: 2 } }],
    ['warning text_cut', { text: 'xxx', limits: { text: 2 } }, { text: 'xx', limits: { text: 2 } }],
    [
      'warning text_cut',
      { text: 'é'.repeat(50), limits: { bytes: 100, cutsText: true } },
      { text: 'e'.repeat(50), limits: { bytes: 100, cutsText: true } },
    ],
    ['error message_large', { text: 'x'.repeat(99), limits: { bytes: 99 } }, { text: 'x', limits: { bytes: 99 } }],
    [
      'error data_large',
      { rich: { data: { a: 'xx' } }, limits: { dataBytes: 9 } },
      { rich: { data: { a: 'x' } }, limits: { dataBytes: 9 } },
    ],
    ['hint no_title', { isPush: true, subject: '' }, { subject: '' }],
    ['hint title_long', { isPush: true, subject: 'x'.repeat(41) }, { isPush: true, subject: '😀'.repeat(40) }],
    ['hint text_long', { isPush: true, text: 'x'.repeat(151) }, { isPush: true, text: 'x'.repeat(150) }],
    ['warning missing_value', { missing: ['order.total'] }, { missing: [] }],
    ['error unresolved', { subject: 'Order {{ order' }, { subject: 'Order { order }' }],
    ['error unresolved', { text: `[object Object] ${LINK}` }, { text: `an object ${LINK}` }],
    ['warning no_unsubscribe', { text: 'Thank you' }, { text: `Choose: ${LINK}/preferences` }],
    ['warning no_unsubscribe', { html: '<p>Thank you</p>' }, { html: '<p>Thank you</p>', category: null }],
    ['warning no_unsubscribe', { unsubscribeUrl: null }, { unsubscribeUrl: null, isMail: false }],
    ['warning clipped', { html: GOOD.html + ' '.repeat(102 * 1024) }, { html: GOOD.html + ' '.repeat(101 * 1024) }],
  ])('%s, as in case %#', (finding, bad, good) => {
    expect(found(bad)).toContain(finding);
    expect(found(good)).not.toContain(finding);
  });

  it.each<[string, string, string]>([
    ['error empty_link', '<a href="">Pay</a>', '<a href="https://acme.test">Pay</a>'],
    ['error empty_link', '<a href="https://">Pay</a>', '<a href="mailto:ann@acme.test">Write</a>'],
    ['error empty_link', '<a href=" # ">Pay</a>', '<a href="#terms">Terms</a>'],
    ['error unusable_link', '<a href="/pay">Pay</a>', '<a href="tel:+4312345">Call</a>'],
    ['error unusable_link', '<a href="javascript:pay()">Pay</a>', '<a href="HTTPS://acme.test">Pay</a>'],
    ['warning insecure_link', '<a href="http://acme.test">Pay</a>', '<a href="https://acme.test/?u=http://a">Pay</a>'],
    [
      'warning silent_link',
      '<a href="https://acme.test"><img src="https://acme.test/a.png" alt=""></a>',
      '<a href="https://acme.test"><img src="https://acme.test/a.png" alt="Pay"></a>',
    ],
    ['warning no_alt', '<img src="cid:a">', '<img src="cid:a" alt="">'],
    [
      'warning insecure_image',
      '<img alt="A" src="http://acme.test/a.png">',
      '<img alt="A" src="https://acme.test/a.png">',
    ],
    ['error unusable_image', '<img alt="A" src="">', '<img alt="A" src="cid:a">'],
    ['error unusable_image', '<img alt="A" src="logo.png">', '<img alt="A" src="https://acme.test/logo.png">'],
    ['warning data_image', '<img alt="A" src="data:image/png;base64,AA==">', '<img alt="A" src="cid:a">'],
    ['warning missing_inline_image', '<img alt="A" src="cid:b">', '<img alt="A" src="cid:a">'],
    ['hint remote_images', '<img alt="A" src="https://acme.test/a.png">', '<img alt="A" src="cid:a">'],
    ['warning low_contrast', colored('color:#999'), colored('color:#767676')],
    ['warning low_contrast', colored('color: rgb(200, 200, 200)'), colored('color: rgba(200, 200, 200, 0.5)')],
    ['warning low_contrast', colored('color:silver'), colored('color:black')],
    ['warning low_contrast', colored('color:#888;font-size:16px'), colored('color:#888;font-size:24px')],
    ['warning low_contrast', colored('color:#eee'), colored('color:#eee;background:#eee url(a.png)')],
    [
      'warning low_contrast',
      colored('color:#eee', '<b>Read</b>'),
      colored('color:#eee', '<a href="https://a.test">Read</a>'),
    ],
    ['warning low_contrast', colored('color:#eee', '&nbsp;x'), colored('color:#eee', '\n&nbsp;\n')],
    ['warning low_contrast', colored('color:#fff'), colored('color:#fff;display:none')],
    [
      'warning low_contrast',
      '<table bgcolor="#ffffff"><tr><td style="color:#ddd">x</table>',
      '<p style="color:#ddd">x</p>',
    ],
    ['warning unchecked', '<b>'.repeat(300), '<b>x</b>'.repeat(300)],
  ])('%s in HTML, as in case %#', (finding, bad, good) => {
    expect(withHtml(bad, { cids: ['a'] })).toContain(finding);
    expect(withHtml(good, { cids: ['a'] })).not.toContain(finding);
  });

  it('a mail that is almost only images', () => {
    const html = `<a href="${LINK}"><img src="https://acme.test/a.png" alt="All of it"></a>`;
    expect(found({ html })).toEqual(['warning only_images']);
  });

  it('links of the service itself without https to be no problem of the author', () => {
    const url = 'http://localhost:3000/u/sample';
    expect(found({ text: url, html: `<a href="${url}">Leave</a>`, unsubscribeUrl: url })).toEqual([]);
    expect(withHtml(`<a href="${url}">bill.pdf</a>`)).toEqual(['warning insecure_link']);
    expect(withHtml(`<a href="${url}">bill.pdf</a>`, { fileUrls: [url] })).toEqual([]);
  });
});

it('leaves the address of the logo to the operator of the service', () => {
  const at = (src: string, logo: string | null) => withHtml(`<img alt="Acme" src="${src}">`, { logo });
  expect(at('http://localhost/logo/a1', null)).toContain('warning insecure_image');
  expect(at('http://localhost/logo/a1', '/logo/a1')).toEqual(['hint remote_images']);
  expect(at('data:image/png;base64,AA==', 'data:image/png;base64,AA==')).toEqual([]);
});

it('names the first example and counts the others, on one short line', () => {
  const html = `${GOOD.html}<a href="http://acme.test/${'x'.repeat(200)}">a</a><a href="http://b.test">b\n</a>`;
  const [insecure] = checkMessage({ ...GOOD, html });
  expect(insecure!.sentence).toBe(`Use https instead of http for “http://acme.test/${'x'.repeat(63)}…” and 1 more.`);
});

it('finds nothing in the default layout but what its sample lacks', () => {
  const shared = { layout: DEFAULT_LAYOUT, partials: {}, brand: { color: '#0b57d0', address: 'Vienna' } };
  const context = {
    ...{ context: {}, user: null, digest: null, occurrence: {} },
    ...{ organization: { slug: 'acme', name: 'Acme' }, unsubscribe_url: LINK, preferences_url: `${LINK}/preferences` },
  };
  const compiled = compileTemplate({ subject: 'Order A-17', markdown: 'Thank you for **your order**, Ann.', shared });
  const message = renderTemplate(compiled, context as never, { work: 1_000_000 });
  expect(checkMessage({ ...GOOD, ...message })).toEqual([]);
});

it.each([
  ['open tags and closing tags that match nothing', '<b>'.repeat(150_000) + '</i>'.repeat(150_000)],
  ['closing tags', '</p>'.repeat(250_000)],
  ['an attribute without an end', `<img alt="${'a'.repeat(1_000_000)}`],
  ['styles', `<p style="${'color:#fff;'.repeat(50_000)}">x`],
  ['brackets', '<'.repeat(1_000_000)],
  ['entities', '&amp'.repeat(250_000)],
  ['blanks in a link', `<a href="${' '.repeat(500_000)}x">x</a>`],
  ['comments', '<!--'.repeat(250_000)],
  ['attributes', `<p ${Array.from({ length: 40_000 }, (_, i) => `a${i}=1`).join(' ')}>`],
])('reads hostile HTML in bounded time: %s', (_, html) => {
  const before = process.cpuUsage();
  checkMessage({ ...GOOD, html });
  const { user, system } = process.cpuUsage(before);
  // Quadratic work on 1 MB takes minutes.
  expect((user + system) / 1e6).toBeLessThan(5);
});
