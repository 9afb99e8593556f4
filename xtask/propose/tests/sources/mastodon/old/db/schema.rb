ActiveRecord::Schema[7.1].define do
  create_table "notes", force: :cascade do |t|
    t.text "text", default: "", null: false
    t.string "author"
    t.string "mood"
    t.index ["author"]
  end
end
