#include "controlplane/cli/text_table.h"

#include <algorithm>

namespace sluice::cli {
namespace {

constexpr size_t kGap = 2;

void append_line(std::string& out, const std::vector<Column>& columns, const std::vector<size_t>& widths,
                 const std::vector<Cell>& cells, bool colour) {
  size_t owed = 0;  // spaces that are written only when something follows
  for (size_t i = 0; i < columns.size(); ++i) {
    const size_t padding = widths[i] - width_of(cells[i].text);
    if (columns[i].align == Align::right) owed += padding;
    if (!cells[i].text.empty()) {
      out.append(owed, ' ');
      owed = 0;
      out += painted(cells[i].text, cells[i].paint, colour);
    }
    if (columns[i].align == Align::left) owed += padding;
    owed += kGap;
  }
  out += '\n';
}

}  // namespace

size_t width_of(std::string_view text) {
  // RFC 3629, 3: every byte of a character but its first is 10xxxxxx.
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string TextTable::text(bool colour) const {
  std::vector<size_t> widths;
  std::vector<Cell> headings;
  for (const auto& column : columns_) {
    widths.push_back(width_of(column.heading));
    headings.emplace_back(column.heading, Paint::heading);
  }
  for (const auto& row : rows_)
    for (size_t i = 0; i < columns_.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i].text));
  std::string out;
  append_line(out, columns_, widths, headings, colour);
  for (const auto& row : rows_) append_line(out, columns_, widths, row, colour);
  return out;
}

}  // namespace sluice::cli
