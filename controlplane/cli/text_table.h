// Rows of text under headings, in columns as wide as their widest cell.
#pragma once

#include <string>
#include <vector>

#include "controlplane/cli/paint.h"

namespace sluice::cli {

struct Cell {
  Cell(std::string cell_text, Paint cell_paint = Paint::plain)
      : text(std::move(cell_text)), paint(cell_paint) {}
  Cell(const char* cell_text) : text(cell_text) {}

  std::string text;
  Paint paint = Paint::plain;
};

enum class Align { left, right };

struct Column {
  std::string heading;
  Align align = Align::left;
};

class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell a column.
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }

  // A heading line and a line for each row, none with spaces at its end.
  std::string text(bool colour) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

// Columns on a terminal: UTF-8 characters, not bytes.
size_t width_of(std::string_view text);

}  // namespace sluice::cli
