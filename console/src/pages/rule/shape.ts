import type { Shape } from '../../api/mergeable';
import type { Tree } from '../../api/merge';
import type { RuleContent, RuleTemplate } from './parts';

/**
 * How two edits of a rule go together: its fields are whole, the templates are merged part by part, and so are their translations. Two people may write
 * the mail and the SMS, or its subject and its text.
 */
export const RULE_SHAPE: Shape<RuleContent> = {
  toTree: (rule) => ({ ...rule, templates: Object.fromEntries(rule.templates.map(entryOf)) }),
  fromTree: (tree) => ({
    ...(tree as unknown as RuleContent),
    templates: Object.values(tree.templates as Tree) as RuleTemplate[],
  }),
  isDeep: ([field, _channel, part, _language, ...deeper]) =>
    field === 'templates' && (part === undefined || part === 'translations') && deeper.length === 0,
};

const entryOf = (template: RuleTemplate) => [template.channel ?? '', template] as const;
