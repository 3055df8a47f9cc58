/** The filters of templates, most useful first. A test compares them with those of the service. */
export const FILTERS = [
  ...['default', 'currency', 'local_date', 'local_time', 'local_number', 'local_list', 'relative_time', 't', 'date'],
  ...['abs', 'append', 'array_to_sentence_string', 'at_least', 'at_most', 'base64_decode', 'base64_encode'],
  ...['capitalize', 'ceil', 'cgi_escape', 'compact', 'concat', 'date_to_long_string', 'date_to_rfc822'],
  ...['date_to_string', 'date_to_xmlschema', 'divided_by', 'downcase', 'escape', 'escape_once', 'find', 'find_exp'],
  ...['find_index', 'find_index_exp', 'first', 'floor', 'group_by', 'group_by_exp', 'has', 'has_exp', 'hmac_sha256'],
  ...['inspect', 'join', 'json', 'jsonify', 'last', 'lstrip', 'map', 'minus', 'modulo', 'newline_to_br'],
  ...[
    'normalize_whitespace',
    'number_of_words',
    'plus',
    'pop',
    'prepend',
    'push',
    'raw',
    'reject',
    'reject_exp',
    'remove',
    'remove_first',
  ],
  ...['remove_last', 'replace', 'replace_first', 'replace_last', 'reverse', 'round', 'rstrip', 'sample'],
  ...['sha256', 'shift', 'size', 'slice', 'slugify', 'sort', 'sort_natural', 'split', 'squish', 'strip'],
  ...[
    'strip_html',
    'strip_newlines',
    'sum',
    'times',
    'to_integer',
    'truncate',
    'truncatewords',
    'uniq',
    'unshift',
    'upcase',
    'uri_escape',
    'url_decode',
  ],
  ...['url_encode', 'where', 'where_exp', 'xml_escape'],
];

export const TAGS = [
  ...['if', 'elsif', 'else', 'endif', 'unless', 'endunless', 'for', 'endfor', 'render', 'assign', 'case', 'when'],
  ...['endcase', 'capture', 'endcapture', 'comment', 'endcomment', 'raw', 'endraw', 'break', 'continue', 'cycle'],
  ...['decrement', 'echo', 'increment', 'liquid', 'tablerow', 'endtablerow'],
];

/** Pieces of a template. `${name}` is a place to fill in: Tab leads to the next one. A number alone would be taken for a place without a text. */
export const SNIPPETS = {
  ifElse: '{% if ${1:total} > ${2:100} %}${3:this}{% else %}${4:that}{% endif %}',
  for: '{% for item in ${items} %}\n- {{ item.${name} }}\n{% endfor %}',
  default: "{{ ${user.first_name} | default: '${there}' }}",
  date: "{{ ${occurrence.created_at} | local_date: '${long}' }}",
  currency: "{{ ${total} | currency: '${EUR}' }}",
  t: "{{ '${order.paid}' | t: count: ${count} }}",
  render: "{% render '${footer}' %}",
  acknowledge: '{% if acknowledge_url %}${I take care of it}: {{ acknowledge_url }}{% endif %}',
} as const;
