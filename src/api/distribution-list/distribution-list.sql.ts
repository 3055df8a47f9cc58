import { nextRows } from '../../platform/database/next-rows.js';

export const LIST_DISTRIBUTION_LISTS = `select id, name from distribution_lists where ${nextRows('project_id')}`;
