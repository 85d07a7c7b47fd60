// The style sheet of the report's page: light and dark, from phones up.

#ifndef TAMIS_TOOLS_REPORT_PAGE_STYLE_H_
#define TAMIS_TOOLS_REPORT_PAGE_STYLE_H_

namespace tamis::tools {

extern const char* const kPageStyle;

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPORT_PAGE_STYLE_H_
