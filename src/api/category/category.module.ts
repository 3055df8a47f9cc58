import { Module } from '@nestjs/common';
import { OrgModule } from '../organization/org.module.js';
import { CategoryController } from './category.controller.js';
import { CategoryService } from './category.service.js';

@Module({ imports: [OrgModule], controllers: [CategoryController], providers: [CategoryService] })
export class CategoryModule {}
