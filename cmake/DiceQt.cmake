# Qt 6 and the two widget libraries. Core-only builds need Qt Core and Qt Test, for the tests alone.
if(DICE_WITH_QT)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core Network Gui Widgets Svg PrintSupport Test LinguistTools)
    find_path(DICE_QSCI_INCLUDE Qsci/qsciscintilla.h PATH_SUFFIXES x86_64-linux-gnu/qt6 qt6 REQUIRED)
    find_library(DICE_QSCI_LIBRARY qscintilla2_qt6 REQUIRED)
    add_library(dice_qsci INTERFACE)
    target_include_directories(dice_qsci SYSTEM INTERFACE ${DICE_QSCI_INCLUDE})
    target_link_libraries(dice_qsci INTERFACE ${DICE_QSCI_LIBRARY} Qt6::Widgets Qt6::PrintSupport)

    find_path(DICE_QCUSTOMPLOT_INCLUDE qcustomplot.h REQUIRED)
    find_library(DICE_QCUSTOMPLOT_LIBRARY NAMES qcustomplotQt6 QCustomPlotQt6 qcustomplot REQUIRED)
    add_library(dice_qcustomplot INTERFACE)
    target_include_directories(dice_qcustomplot SYSTEM INTERFACE ${DICE_QCUSTOMPLOT_INCLUDE})
    target_link_libraries(dice_qcustomplot INTERFACE ${DICE_QCUSTOMPLOT_LIBRARY} Qt6::Widgets Qt6::PrintSupport)
else()
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core Test)
endif()

# moc 6.4 cannot parse GCC's <concepts> when it comes before a Qt header; it needs nothing from it.
set(CMAKE_AUTOMOC_MOC_OPTIONS -D_GLIBCXX_CONCEPTS)
